/** An answer's status and body, without the id that each refusal has of its own: so that two refusals can be compared. */
export function withoutRequestId({ status, body }: { status: number; body: unknown }) {
  return { status, body: JSON.parse(JSON.stringify(body, (key, value) => (key === 'request_id' ? undefined : value))) };
}
