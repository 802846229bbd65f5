import type { Maker } from './maker.ts';
import { EMOJI } from './names.ts';

/** What is hard about numbers: see {@link ./kinds.ts}. */

/** Leaving it open is not wrong. */
const OPEN = [null];

export function phone(maker: Maker): void {
  const { first, last } = maker.fresh();
  const number = maker.phone();
  const field = maker.random.pick(['phone', 'mobilephone']);
  const id = maker.addContact({ firstname: first, lastname: last, [field]: asTyped(maker, number) });
  const name = maker.random.pick([`${first} ${last}`, first, maker.random.pick(EMOJI)]);
  maker.addChat('phone', { name, phone: number }, id);
}

export function nationalNumber(maker: Maker): void {
  const { first, last } = maker.fresh();
  const number = `+4917${String(10_000_000 + maker.random.below(89_999_999))}`;
  const phone = maker.random.pick([`0${number.slice(3)}`, `0${number.slice(3, 6)} / ${number.slice(6)}`]);
  const id = maker.addContact({ firstname: first, lastname: last, phone });
  maker.addChat('national number', { name: maker.random.pick([first, maker.random.pick(EMOJI)]), phone: number }, id, OPEN);
}

export function nationalNumberElsewhere(maker: Maker): void {
  const [one, other] = [maker.fresh(), maker.fresh()];
  const digits = String(100_000_000 + maker.random.below(899_999_999));
  maker.addContact({ firstname: other.first, lastname: other.last, phone: `0${digits}` });
  maker.addChat('number elsewhere', { name: `${one.first} ${one.last}`, phone: `+33${digits}` }, null);
}

export function sharedPhone(maker: Maker): void {
  const [one, other] = [maker.fresh(), maker.fresh()];
  const number = maker.phone();
  maker.addContact({ firstname: one.first, lastname: one.last, phone: number });
  const id = maker.addContact({ firstname: other.first, lastname: other.last, mobilephone: number });
  maker.addChat('shared phone', { name: `${other.first} ${other.last}`, phone: number }, id, OPEN);
}

export function sharedPhoneOfOther(maker: Maker): void {
  const [one, other] = [maker.fresh(), maker.fresh()];
  if (!maker.claim(other.first, one.last)) return;
  const number = maker.phone();
  maker.addContact({ firstname: one.first, lastname: one.last, phone: number });
  maker.addChat('phone of another', { name: `${other.first} ${one.last}`, phone: number }, null);
}

export function namesakeWithOtherNumber(maker: Maker): void {
  const { first: firstname, last: lastname } = maker.fresh();
  maker.addContact({ firstname, lastname, mobilephone: maker.phone() });
  maker.addChat('other number', { name: `${firstname} ${lastname}`, phone: maker.phone() }, null);
}

function asTyped(maker: Maker, number: string): string {
  const digits = number.slice(1);
  const cc = digits.startsWith('44') || digits.startsWith('49') || digits.startsWith('33') ? 2 : 1;
  const rest = digits.slice(cc);
  return maker.random.pick([
    number,
    `00${digits}`,
    `+${digits.slice(0, cc)} (${rest.slice(0, 3)}) ${rest.slice(3, 6)}-${rest.slice(6)}`,
    `tel:${number}`,
    `+${digits.slice(0, cc)} ${rest.slice(0, 4)} ${rest.slice(4)}`,
  ]);
}
