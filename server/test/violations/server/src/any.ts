export const wrong = (value: any): unknown => value;
