-- question: How much of each faction's rules about damage was read into effects, by kind of text?
-- grain: one row per edition, kind of text and faction
-- units: counts of texts; shares of the texts about damage
-- caveats: a text is about damage if it holds a phrase of the attack sequence; abilities count once for all units that
--   share the text; the share is empty where no text is about damage
SELECT source_kind, edition, faction, texts, about_damage, modelled, partly, not_modelled, no_text, share_modelled
FROM text_coverage_shares
ORDER BY edition, source_kind, share_modelled, faction
