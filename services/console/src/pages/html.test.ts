import { html } from './html';

describe('html', () => {
  it('escapes what is not markup, in texts and in attributes', () => {
    const nasty = `<script>alert("x")</script> & 'y'`;
    const escaped = '&#60;script&#62;alert(&#34;x&#34;)&#60;/script&#62; &#38; &#39;y&#39;';
    expect(html`<p title="${nasty}">${nasty}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  it('keeps markup, joins lists and leaves out what is not there', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${undefined}${3}`.text).toBe('<ul><li>a</li><li>&#60;b&#62;</li></ul>3');
  });
});
