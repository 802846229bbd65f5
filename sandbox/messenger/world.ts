/**
 * A messenger account and everything it can see, as plain data. Built from our sample conversations or from a
 * Telegram Desktop export; served by the MTProto server. Ids are the messenger's own positive ids within their kind.
 */
export type World = {
  /** Stable name of the account, for example `sample` or a hash of the export: its state on disk is kept under it. */
  key: string;
  owner: WorldUser;
  /** The data centre it lives in, 1 to 5; 2 unless said otherwise. The others redirect a client that requests a code. */
  dc?: number;
  /** The second factor that the owner types to sign in after the server's code; null when there is none. */
  password: string | null;
  users: WorldUser[];
  chats: WorldChat[];
  dialogs: WorldDialog[];
  /**
   * Batches of messages still to come: each "let a new day arrive" takes the first. Empty: the server repeats the last
   * day.
   */
  nextDays: { dialogKey: string; messages: WorldMessage[] }[][];
};

export type WorldUser = {
  id: number;
  firstName: string;
  lastName: string;
  username: string | null;
  /** E.164. The server shows it only for contacts and for the owner, as the real one does. */
  phone: string | null;
  isContact: boolean;
  isBot: boolean;
  isDeleted: boolean;
};

export type WorldChat = { id: number; kind: 'group' | 'supergroup' | 'channel'; title: string; username: string | null };

export type WorldDialog = {
  /** `user:ID`, `chat:ID` (group) or `channel:ID` (supergroup, channel). */
  key: string;
  pinned: boolean;
  archived: boolean;
  unreadCount: number;
  /** Unix seconds of what the owner began to write and did not send: it moves the conversation up the list. */
  draftedAt?: number;
  /** Oldest first. */
  messages: WorldMessage[];
};

export type WorldMessage = {
  /**
   * As in Telegram: users and groups share one counter per account, each channel or supergroup has its own.
   * Unique and rising within its counter.
   */
  id: number;
  /** Unix seconds. */
  date: number;
  /** Sender's user id; the owner's id for outgoing messages. For a channel post: null. */
  from: number | null;
  text: string;
  media: 'photo' | 'voice' | 'video' | 'document' | 'sticker' | 'location' | 'contact' | 'poll' | null;
  fileName: string | null;
  forwardedFrom: string | null;
  replyTo: number | null;
  /** A service message such as "joined the group": shown by the server as MessageService. */
  service: string | null;
};
