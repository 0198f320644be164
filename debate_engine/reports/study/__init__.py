"""What came of many runs of one scene: report, data, picture, and the run's description."""
