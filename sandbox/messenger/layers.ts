import { Api, LAYER } from 'telegram/tl/index.js';

/**
 * Types whose constructor changed between layer 227 and the library's own, 229, with the earlier id. The bytes that
 * follow are the same, since what the newer ones may also hold (communities) is never set here.
 */
const FORMER_IDS = new Map<unknown, number>([
  [Api.User, 0x31774388],
  [Api.Channel, 0x1c32b11c],
]);

/**
 * The bytes of an object as a client reads it.
 * @param layer the schema version the client announced, from 227 on; null when it did not yet
 */
export function bytesInLayer(object: { getBytes(): Buffer }, layer: number | null): Buffer {
  nameForLayer(object, layer ?? LAYER);
  return object.getBytes();
}

/** Every id is set each time, since one update goes out to clients of several layers. */
function nameForLayer(value: unknown, layer: number): void {
  if (Array.isArray(value)) {
    for (const item of value) nameForLayer(item, layer);
  } else if (isWritable(value)) {
    const formerId = FORMER_IDS.get(value.constructor);
    if (formerId !== undefined) value.CONSTRUCTOR_ID = layer < LAYER ? formerId : value.constructor.CONSTRUCTOR_ID;
    for (const field of Object.values(value)) nameForLayer(field, layer);
  }
}

type Writable = { CONSTRUCTOR_ID: number; constructor: { CONSTRUCTOR_ID: number } };

function isWritable(value: unknown): value is Writable {
  return typeof value === 'object' && value !== null && 'CONSTRUCTOR_ID' in value;
}
