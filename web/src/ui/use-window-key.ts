import { useEffect, useEffectEvent } from 'react';

/** Hears every key of the page while the component is there, with what the component knows by then. */
export function useWindowKey(onKey: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKey);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
