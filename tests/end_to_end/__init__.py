"""Harnesses that run originals and lifted code side by side."""
