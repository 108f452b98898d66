import type { RequestHandler } from 'express';
import helmet from 'helmet';

const OWN_PAGES = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Bull Board's page names its own base and sets styles in attributes; its scripts are files. */
const BOARD = {
  ...OWN_PAGES,
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'self'"],
};

/**
 * The console runs no script of its own and loads nothing from elsewhere. `same-origin` as referrer policy, because with
 * none at all browsers hide the origin of a form, which `requireSameOrigin` looks at.
 */
export function securityHeaders({ https, boardPath }: { https: boolean; boardPath: string }): RequestHandler {
  const headersWith = (directives: Record<string, string[]>) =>
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives },
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: https ? { maxAge: YEAR_SECONDS } : false,
      xFrameOptions: { action: 'deny' },
    });
  const own = headersWith(OWN_PAGES);
  const board = headersWith(BOARD);
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    const isBoard = request.path === boardPath || request.path.startsWith(`${boardPath}/`);
    (isBoard ? board : own)(request, response, next);
  };
}

const YEAR_SECONDS = 365 * 86_400;
