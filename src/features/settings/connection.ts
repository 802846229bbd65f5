/** A connected account as the settings page shows it. Who has connections tells them in these words. */
export type Connection = {
  id: string;
  title: string;
  who: string;
  badge: { tone: 'is-ok' | 'is-warn' | 'is-alert' | 'is-mute'; icon: string; word: string };
  detail: string;
  /** Who reads the text; undefined where there is no choice. */
  reader: { builtInOnly: boolean; words: string } | undefined;
  action: { href: string; label: string; kind: 'danger' | 'primary' };
};
