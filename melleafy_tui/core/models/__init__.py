"""The records that the steps exchange: msgspec structs inside, pydantic models at the edges."""
