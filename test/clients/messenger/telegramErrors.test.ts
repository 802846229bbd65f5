import { inspect } from 'node:util';
import { expect } from 'chai';
import { Api, errors } from 'telegram';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import { toClientError } from '../../../src/clients/messenger/telegramErrors.ts';

/** The error as the library makes it from what the service sends. */
function fromService(errorCode: number, errorMessage: string): unknown {
  const request = new Api.auth.SignIn({ phoneNumber: '+34600111222', phoneCodeHash: 'h', phoneCode: '55555' });
  return errors.RPCMessageToError(new Api.RpcError({ errorCode, errorMessage }), request);
}

/** The error as the library makes it from bytes it cannot read. */
function fromBytes(bytes: Buffer): unknown {
  try {
    return new BinaryReader(bytes).tgReadObject();
  } catch (error) {
    return error;
  }
}

describe('What an error of the messenger means', () => {
  const meanings: [number, string, string, string][] = [
    [400, 'PHONE_NUMBER_INVALID', 'permanent', 'PHONE_INVALID'],
    [400, 'PHONE_NUMBER_BANNED', 'permanent', 'PHONE_BANNED'],
    [400, 'PHONE_NUMBER_UNOCCUPIED', 'permanent', 'PHONE_UNKNOWN'],
    [400, 'PHONE_CODE_INVALID', 'permanent', 'CODE_INVALID'],
    [400, 'PHONE_CODE_EXPIRED', 'permanent', 'CODE_EXPIRED'],
    [400, 'PASSWORD_HASH_INVALID', 'permanent', 'PASSWORD_INVALID'],
    [401, 'AUTH_KEY_UNREGISTERED', 'auth', 'SESSION_EXPIRED'],
    [406, 'AUTH_KEY_DUPLICATED', 'auth', 'SESSION_EXPIRED'],
    [401, 'USER_DEACTIVATED_BAN', 'auth', 'ACCOUNT_BANNED'],
    [420, 'FROZEN_METHOD_INVALID', 'permanent', 'ACCOUNT_FROZEN'],
    [400, 'PEER_ID_INVALID', 'permanent', 'PEER_GONE'],
    [500, 'NO_WORKERS_RUNNING', 'temporary', 'UNAVAILABLE'],
    [400, 'API_ID_INVALID', 'permanent', 'API_KEYS_INVALID'],
    [406, 'UPDATE_APP_TO_LOGIN', 'permanent', 'APP_OUTDATED'],
    [406, 'SEND_CODE_UNAVAILABLE', 'permanent', 'CODE_UNAVAILABLE'],
    [400, 'A_NEW_WORD', 'permanent', 'UNEXPECTED'],
  ];
  for (const [status, word, kind, code] of meanings) {
    it(`maps ${word} to ${code}`, () => {
      expect(toClientError(fromService(status, word))).to.include({ kind, code, service: 'messenger' });
    });
  }

  for (const word of ['FLOOD_WAIT_77', 'FLOOD_PREMIUM_WAIT_77']) {
    it(`says how long to wait after ${word}`, () => {
      const error = toClientError(fromService(420, word));
      expect(error).to.include({ kind: 'rateLimited', code: 'FLOOD_WAIT', retryAfterSeconds: 77 });
    });
  }

  it('names a wait even when the service does not say how long it is', () => {
    const error = toClientError(fromService(406, 'PHONE_PASSWORD_FLOOD'));
    expect(error).to.include({ kind: 'rateLimited', code: 'FLOOD_WAIT', retryAfterSeconds: 3600 });
  });

  const whole = new Api.RpcError({ errorCode: 400, errorMessage: 'the secret that stands in this answer' }).getBytes();
  const unknown = Buffer.concat([Buffer.from([1, 2, 3, 4]), Buffer.from('the secret')]);
  for (const [what, bytes] of [
    ['of an unknown kind', unknown],
    ...[4, 10, 20].map(kept => [`cut after ${kept} bytes`, whole.subarray(0, kept)] as const),
  ] as const) {
    it(`keeps the words of an answer ${what} out of the error`, () => {
      const error = toClientError(fromBytes(bytes));
      expect(error).to.include({ kind: 'permanent', code: 'PARSER_POISONED' });
      expect(inspect(error, { depth: null })).not.to.match(/secret|Buffer|74 68 65/);
    });
  }

  it('keeps what a person sent out of the error', () => {
    const error = toClientError(fromService(400, 'PHONE_CODE_INVALID'));
    expect(inspect(error, { depth: null })).not.to.match(/55555|34600111222/);
  });
});
