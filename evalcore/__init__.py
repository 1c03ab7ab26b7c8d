"""Evidence Lab: what retrieval numbers prove, and what they leave open."""
