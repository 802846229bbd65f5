import type { Script } from './model.ts';

/*
 * Habits that small models are said to have. Made up: no such model was at hand. Each answers about a German chat in which
 * Jonas promises cables to Anna.
 */

/** The item that the instructions give as an example. */
export const EXAMPLE = 'Send Farid the contract';

/** It chats around its answer, leaves fields out and copies the example. */
export const chattyModel: Script = () =>
  `Sure! Here is the digest you asked for:\n\`\`\`json\n${JSON.stringify({
    language: 'German',
    summary: [{ text: 'Du schickst Anna die Kabel am Freitag.', lines: [2] }],
    actionItems: [
      { text: 'Kabel schicken', owner: 'User', lines: ['2'], dueText: 'am Freitag' },
      { text: EXAMPLE, owner: 'user', ownerName: null, dueText: 'by Friday', dueDate: null, lines: [] },
    ],
    sentiment: 'Positive.',
  })}\n\`\`\`\nLet me know if you need anything else!`;

/** It sends one text for a list, invents a day and a figure, cites what isn't there, copies the example and adds fields. */
export const looseModel: Script = () => ({
  language: 'de',
  summary: 'Jonas schickt die Kabel am Freitag.',
  topics: 'Kabel',
  actionItems: [
    { text: 'Die Kabel schicken', owner: 'user', dueText: null, dueDate: '2031-12-24', lines: [2] },
    { text: '4500 Euro überweisen', owner: 'user', lines: [99] },
    { text: EXAMPLE, owner: 'user', lines: [2] },
  ],
  confidence: 0.98,
});
