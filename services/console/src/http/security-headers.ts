import type { RequestHandler } from 'express';
import helmet from 'helmet';

type Directives = Record<string, string[]>;

export interface PolicyOptions {
  https: boolean;
  boardPath: string;
  /** The path under which the gateway's answers are. */
  gatewayPath: string;
  /** Origins of results: the gateway's own, and those of the storage that it leads to. */
  mediaOrigins: readonly string[];
}

/** The page: no script, style, font or frame but its own files. */
const pagePolicy = (mediaOrigins: readonly string[]): Directives => ({
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:', ...mediaOrigins],
  mediaSrc: ["'self'", 'blob:', ...mediaOrigins],
  connectSrc: ["'self'", ...mediaOrigins],
  formAction: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'self'"],
});

/** Bull Board's page names its own base and sets styles in attributes; its scripts are files. */
const BOARD: Directives = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'self'"],
  frameAncestors: ["'self'"],
};

/** Media that callers made or uploaded are never pages of this origin, whatever their content type says. */
const ANSWERS: Directives = { defaultSrc: ["'none'"], frameAncestors: ["'self'"], sandbox: [] };

const YEAR_SECONDS = 365 * 86_400;

/** `same-origin` as referrer policy, because with none at all browsers hide the origin of a form, which `requireSameOrigin` looks at. */
export function securityHeaders({ https, boardPath, gatewayPath, mediaOrigins }: PolicyOptions): RequestHandler {
  const headersWith = (directives: Directives) =>
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives },
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: https ? { maxAge: YEAR_SECONDS } : false,
      xFrameOptions: { action: 'sameorigin' },
    });
  const page = headersWith(pagePolicy(mediaOrigins));
  const byPath = [
    { path: boardPath, set: headersWith(BOARD) },
    { path: gatewayPath, set: headersWith(ANSWERS) },
  ];
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    const own = byPath.find(({ path }) => request.path === path || request.path.startsWith(`${path}/`));
    (own?.set ?? page)(request, response, next);
  };
}
