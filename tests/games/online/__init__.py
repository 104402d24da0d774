"""Tests of ONLINE: each numbered rule of its rules page by its number."""
