"""The sample dumps of ``raw/``: what they are made of, how they are made, and that they are read back as they were."""
