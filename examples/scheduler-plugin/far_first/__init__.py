"""A plug-in for polyopt, made to be copied: a scheduler and a model of tile sizes."""
