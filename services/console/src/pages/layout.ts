import { type Html, html } from './html';

export interface PageOptions {
  title: string;
  /** Absent: nobody is logged in, and there is nothing to go to. */
  user?: string;
  refreshSeconds?: number;
}

/** A whole page; the text that Express sends. */
export function page({ title, user, refreshSeconds }: PageOptions, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refreshSeconds === undefined ? undefined : html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
<title>${title} · mediagate console</title>
<link rel="icon" type="image/svg+xml" href="/assets/logo.svg">
<link rel="stylesheet" href="/assets/console.css">
</head>
<body>
${user === undefined ? undefined : masthead(user)}
<main>
${content}
</main>
</body>
</html>
`.text;
}

function masthead(user: string): Html {
  return html`<header>
<a class="brand" href="/"><img src="/assets/logo.svg" alt="" width="24" height="24">mediagate</a>
<nav aria-label="Console"><a href="/" aria-current="page">Health</a><a href="/queues">Queues</a></nav>
<form method="post" action="/logout"><span class="user">${user}</span><button class="quiet">Log out</button></form>
</header>`;
}
