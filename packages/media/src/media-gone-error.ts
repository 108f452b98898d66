/** There was such an object, or its link; there is none any more. */
export class MediaGoneError extends Error {
  constructor(id: string, options?: ErrorOptions) {
    super(`media object ${id} is gone`, options);
    this.name = 'MediaGoneError';
  }
}
