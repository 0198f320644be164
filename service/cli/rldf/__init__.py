"""The commands of `elenchus rldf`: debates, data, gate and measures."""
