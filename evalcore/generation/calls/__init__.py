"""Asking a model: prompt, client, outcomes, prices, and the run that goes on in the background."""
