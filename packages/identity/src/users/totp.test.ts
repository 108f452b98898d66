import { findTotpStep, newTotpSecret, totpCode, totpUri } from './totp';

/** `12345678901234567890` of RFC 6238, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('is at %i s the code of RFC 6238', (seconds, code) => {
  expect(totpCode(SECRET, BigInt(Math.floor(seconds / 30)))).toBe(code);
});

it('takes the code of now, and of the half minute before and after, but none twice', () => {
  const at = (seconds: number, lastStep: bigint | null = null) =>
    findTotpStep(SECRET, '050 471', { nowMs: seconds * 1000, lastStep });
  const step = 37_037_037n;
  expect([1_111_111_110, 1_111_111_085, 1_111_111_140].map((seconds) => at(seconds))).toEqual([step, step, step]);
  expect([1_111_111_070, 1_111_111_170].map((seconds) => at(seconds))).toEqual([undefined, undefined]);
  expect(at(1_111_111_110, step)).toBeUndefined();
  expect(at(1_111_111_110, step - 1n)).toBe(step);
  expect(findTotpStep(SECRET, '', { nowMs: 1e12, lastStep: null })).toBeUndefined();
});

it('has secrets of 160 bits that apps take', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUri(secret, 'kim@example.com')).toBe(
    `otpauth://totp/mediagate:kim%40example.com?secret=${secret}&issuer=mediagate&algorithm=SHA1&digits=6&period=30`,
  );
});
