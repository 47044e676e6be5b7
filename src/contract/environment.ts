/** Which of the two environments a deployment is. Each has its own animals and its own keys. */
export type Environment = 'production' | 'staging'
