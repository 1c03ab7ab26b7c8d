"""Generated revision items: topics, prompt, client and outcomes, checks, blind rating, results, store and export."""
