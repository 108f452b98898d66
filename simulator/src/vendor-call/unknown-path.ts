import type { RequestHandler } from 'express';
import type { Wire } from './contract';
import type { CallSurroundings } from './exchange';

/** A path the vendor does not have: journalled, because it is a mistake worth seeing, and refused in its words. */
export function unknownPath(wire: Wire, { journal, rateWindow }: CallSurroundings): RequestHandler {
  return (request, response) => {
    const path = request.originalUrl.replace(/\?.*$/s, '');
    const facts = { wire: wire.name, operation: 'unknown' as const, method: request.method };
    const entry = journal.open({ ...facts, path: path.slice(0, 500) });
    const reply = wire.unknownPath(request.method, path);
    Object.assign(entry, { replyStatus: reply.status, ending: 'replied', warnings: ['unknown path'] });
    response.set(wire.replyHeaders(wire.newRequestId(), rateWindow.state())).status(reply.status).json(reply.body);
    journal.touch();
  };
}
