/** An expected failure to start. The message is the one line shown to the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
