import type { Scene } from './scene.ts';

export const sourceScenes: Scene[] = [
  {
    name: 'Conversation, what a line rests on',
    path: async ({ conversation }) => `/conversations/${await conversation('Farid')}`,
    act: page => page.locator('.quotes .sent').first().click(),
  },
  {
    name: 'Conversation, who said a sentence',
    async path({ service: { db }, conversation }) {
      const dialogId = await conversation('Farid');
      const written = db('digests').where({ dialog_id: dialogId }).whereNot('summary', '');
      const { id, summary, structured } = await written.orderBy('digest_date', 'desc').first();
      const { exchanges: _, ...prose } = structured;
      const sent = { sender: 'Farid Nazari', sentAt: new Date().toISOString() };
      const sources = {
        sentences: [{ from: 0, to: summary.length, messageIds: ['1', '2'] }],
        messages: [
          { ...sent, id: '1', fromUser: false },
          { ...sent, id: '2', fromUser: true },
        ],
      };
      await db('digests')
        .where({ id })
        .update({ sources: JSON.stringify(sources), structured: JSON.stringify(prose) });
      return `/conversations/${dialogId}`;
    },
    act: page => page.locator('.said .sent').first().click(),
  },
];
