import { ERROR_TABLE, GatewayError } from '@mediagate/contracts';
import { Speeches, type SpeechesDeps } from './speeches';

const limits = { slots: 8 };
const port = { expect: () => ({ listener: {}, close: () => undefined }) };
const opened = () => new Speeches({ port, queues: { isConnected: () => true }, limits } as unknown as SpeechesDeps);

describe('slots for speeches', () => {
  it('of one account are half of the process at most: one more is refused with 429, and others find theirs', () => {
    const speeches = opened();
    const slots = [1, 2, 3, 4].map(() => speeches.takeSlot({ accountId: 'crowd' }));
    expect(refusalOf(() => speeches.takeSlot({ accountId: 'crowd' }))).toEqual(['rate_limited', 429]);
    expect(() => speeches.takeSlot({ accountId: 'other' })).not.toThrow();
    slots[0]?.leave();
    expect(() => speeches.takeSlot({ accountId: 'crowd' })).not.toThrow();
  });

  it('of test keys are a quarter of the process at most, of all accounts together', () => {
    const speeches = opened();
    for (const accountId of ['a', 'b']) speeches.takeSlot({ accountId, isTest: true });
    expect(refusalOf(() => speeches.takeSlot({ accountId: 'c', isTest: true }))).toEqual(['rate_limited', 429]);
    expect(() => speeches.takeSlot({ accountId: 'c' })).not.toThrow();
  });

  it('that are all taken are refused with 503, whoever asks', () => {
    const speeches = opened();
    for (const accountId of ['a', 'b']) for (let taken = 0; taken < 4; taken += 1) speeches.takeSlot({ accountId });
    expect(refusalOf(() => speeches.takeSlot({ accountId: 'c' }))).toEqual(['service_unavailable', 503]);
  });
});

function refusalOf(take: () => unknown): unknown {
  try {
    return take();
  } catch (error) {
    return error instanceof GatewayError ? [error.reason, ERROR_TABLE[error.code].httpStatus] : error;
  }
}
