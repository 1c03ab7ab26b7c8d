"""The page Generation harness: run, read, rate blind, results, calls."""
