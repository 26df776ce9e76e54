"""What rules are worth: the uplift of stratagems, enhancements, detachment rules and abilities per CP or point.

Belongs here: reading under which circumstances a modifier holds (``circumstances``), applying modifiers to attacks, and
comparing attacks with and without them. Doesn't: reading rules texts into modifiers (``rulebook.effects``), the attack
sequence itself (``simulation``), writing tables (``defs``).
"""
