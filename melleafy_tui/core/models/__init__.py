"""The records that the conversion steps exchange: msgspec structs inside, pydantic models at the edges."""
