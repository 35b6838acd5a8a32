echo label
