import type { Response } from 'express';

/** `reason` is for programs and stays; `message` is for whoever reads the answer. */
export interface Refusal {
  status: number;
  reason: string;
  message: string;
}

export const SIGNED_OUT: Refusal = { status: 401, reason: 'signed_out', message: 'Sign in first.' };
export const NOT_FOUND: Refusal = { status: 404, reason: 'not_found', message: 'There is nothing here.' };
export const ROLE_TOO_LOW: Refusal = {
  status: 403,
  reason: 'role_too_low',
  message: 'Your role does not allow this.',
};

/** Refuses too many attempts to sign in, or to do what costs as much. */
export function refuseTooMany(response: Response, retryAfterSeconds: number): void {
  response.setHeader('Retry-After', retryAfterSeconds);
  const message = `Too many attempts. Try again in ${retryAfterSeconds} s.`;
  refuse(response, { status: 429, reason: 'too_many_attempts', message });
}

export function refuse(response: Response, { status, reason, message }: Refusal): void {
  response.status(status).json({ reason, message });
}
