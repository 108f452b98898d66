import { html } from './html';
import { page } from './layout';

/** @param fault why the last attempt failed. */
export function loginPage({ fault }: { fault?: string }): string {
  return page(
    { title: 'Log in' },
    html`<form class="login" method="post" action="/login">
<h1><img src="/assets/logo.svg" alt="" width="32" height="32">mediagate console</h1>
${fault === undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`}
<label for="user">User</label>
<input id="user" name="user" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Log in</button>
</form>`,
  );
}
