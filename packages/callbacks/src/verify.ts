import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export interface ReceivedCallback {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came: another spelling of the same JSON has another signature. */
  body: string;
}

/** Checks a received callback by its Standard Webhooks signature; undefined: it is ours, and recent. */
export function verificationFault({ headers, body }: ReceivedCallback, secret: string): string | undefined {
  const single = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  try {
    new Webhook(secret).verify(body, Object.fromEntries(single));
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    // It is signed, and what is signed is no JSON.
    if (error instanceof SyntaxError) return 'the body is not JSON';
    throw error;
  }
}
