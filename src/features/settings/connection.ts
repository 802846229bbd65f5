/** A connected account as the settings page shows it. Who has connections tells them in these words. */
export type Connection = {
  title: string;
  who: string;
  badge: { tone: 'is-ok' | 'is-warn' | 'is-alert' | 'is-mute'; icon: string; word: string };
  detail: string;
  action: { href: string; label: string; kind: 'danger' | 'primary' };
};
