/**
 * Runs `act` and waits until other users see its effect live; their pages do not poll. The latency depends on the
 * machine and is measured by `npm run bench -- people`.
 */
export async function live(act: () => Promise<unknown>, seen: () => Promise<unknown>): Promise<void> {
  await act();
  await seen();
}
