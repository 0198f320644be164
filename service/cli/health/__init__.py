"""What `elenchus doctor` looks at: packages, keys and servers, weights, the database, the disk."""
