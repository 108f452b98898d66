import type { NextFunction, Request, Response } from 'express';

const FOREIGN_STYLE = /<link href="https:[^>]*>/g;

/** Bull Board has no setting that leaves out single actions. Its buttons are known by their icons; those of `ALLOWED_ACTIONS` stay. */
const OWN_STYLE = `<style>
[role="menu"]:has(.lucide-ban) > :not(:has(.lucide-pause, .lucide-play, .lucide-trash-2)),
:is([class^="jobActions"], [class^="queueActions"]) > :not(:has(.lucide-trash-2)) { display: none; }
</style>`;

/**
 * Leaves out of the board's document the letters of another origin, which the policy refuses (its theme names those of the page), and
 * the actions that are refused.
 */
export function styleBoard(_request: Request, response: Response, next: NextFunction): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) =>
    send(typeof body === 'string' ? body.replace(FOREIGN_STYLE, '').replace('</head>', `${OWN_STYLE}</head>`) : body);
  next();
}
