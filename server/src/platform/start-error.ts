/** An expected failure to start. The message is displayed to the operator as one line. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
