"""One threshold on one score: what is answered, what is refused, and what either costs."""
