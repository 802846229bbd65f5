import type { Socket } from 'node:net';

/** Which connections use which auth key at this moment. */
export type KeyUse = {
  /** @returns whether another open connection uses the key */
  note(keyId: string, socket: Socket): boolean;
};

export function createKeyUse(): KeyUse {
  const users = new Map<string, Set<Socket>>();
  return {
    note(keyId, socket) {
      const sockets = users.get(keyId) ?? new Set();
      users.set(keyId, sockets);
      if (!sockets.has(socket)) {
        sockets.add(socket);
        socket.once('close', () => {
          sockets.delete(socket);
          if (sockets.size === 0) users.delete(keyId);
        });
      }
      return [...sockets].some(other => other !== socket && isOpen(other));
    },
  };
}

/** A client may reconnect before the server has closed the connection before. */
function isOpen(socket: Socket): boolean {
  return !socket.destroyed && !socket.readableEnded;
}
