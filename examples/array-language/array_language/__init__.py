"""A language of array assignments on xDSL, made to be copied: `dialect` is its operations and how
they become loops, `language` its syntax and, in three lines, polyopt."""
