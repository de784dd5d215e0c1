"""Ground truth, point by point: a family whose observations are classifications of points."""
