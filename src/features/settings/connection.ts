/** A connected account as the settings page shows it. Who has connections tells them in these words. */
export type Connection = {
  id: string;
  title: string;
  who: string;
  badge: { tone: 'is-ok' | 'is-warn' | 'is-alert' | 'is-mute'; icon: string; word: string };
  detail: string;
  /** Who writes the digests, and where that is changed; undefined where there is no choice. */
  writer: { words: string; href: string } | undefined;
  action: { href: string; label: string; kind: 'danger' | 'primary' };
};
