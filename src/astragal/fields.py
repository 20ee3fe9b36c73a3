"""Names of the fields of values: of our own, which are Structs, and of dataclasses that authors bring."""


def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of a type's fields, in order: none for a type that has no named fields."""
    if hasattr(kind, "__dataclass_fields__"):
        from dataclasses import fields

        return tuple([field.name for field in fields(kind)])
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return names
