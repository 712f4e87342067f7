// Placeholder so that the target builds until its first type arrives.
