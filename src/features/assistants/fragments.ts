/**
 * The condition that a token may read a conversation `d`: groups one by one, and private ones if all of them were agreed to,
 * except those whose digests the person reserved for this server.
 * @param token its id, in SQL
 */
export function isCoveredBy(token: string): string {
  return `d.unreadable is null and exists (
      select from assistant_consents c where c.user_id = :userId and c.given_to = ${token} and c.ended_at is null
        and (c.dialog_id = d.id or c.dialog_id is null and d.peer_type = 'user')
    ) and not (d.peer_type = 'user' and exists (
      select from writer_choices w where w.user_id = :userId and w.dialog_id = d.id and w.ended_at is null
        and w.writer = 'built-in'))`;
}
