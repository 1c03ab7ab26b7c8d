"""What happened in a run: events, the journal that keeps them, and the run that they add up to."""
