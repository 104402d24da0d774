"""Tests of Cyber Siege's rules, one module for each chapter."""
