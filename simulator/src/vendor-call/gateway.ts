import type { Reply } from './contract';

/** Titles of the pages that networks in front of vendors answer with, by status. */
const titles: Readonly<Record<string, string>> = {
  '200': 'Just a moment...',
  '403': '403 Forbidden',
  '502': '502 Bad Gateway',
  '503': '503 Service Temporarily Unavailable',
  '504': '504 Gateway Time-out',
};

/** A page of a content network or a proxy; 502 when nothing asked for a certain one. */
export function gatewayPage(asked: string): Reply {
  const status = asked === '' ? '502' : asked;
  const title = titles[status] ?? status;
  const html = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
  return { status: Number(status), body: { html } };
}

/**
 * An error as the FastAPI framework says it, which gateways and self-hosted servers in front of a model are made of: a
 * sentence, or a list with the place of each mistake (https://fastapi.tiangolo.com/tutorial/handling-errors, November 2026).
 */
export function detailError(asked: string): Reply {
  if (asked !== 'list') return { status: 400, body: { detail: 'The request could not be processed.' } };
  const mistake = { type: 'missing', loc: ['body', 'prompt'], msg: 'Field required', input: null };
  return { status: 422, body: { detail: [mistake] } };
}
