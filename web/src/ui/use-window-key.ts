import { useEffect, useEffectEvent } from 'react';

/** Handles every key of the page while mounted, with the latest props. */
export function useWindowKey(onKey: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKey);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
