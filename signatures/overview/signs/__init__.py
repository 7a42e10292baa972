"""Small signs of trouble: values that no other analysis tells of."""
