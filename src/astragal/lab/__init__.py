"""Design lab: answers a designer's questions about rules from their odds alone. Knows no game.

Each question has its modules; none of them writes a rule again, they ask the games' own.

- *Exploring* (`explore`): how does a chance change with a number? Curves over one parameter, heat maps over two, two
  settings side by side. `rolls` finds a game's rules by name and sets their parameters; `verdicts` chooses the part of
  a verdict that is counted.
- *Converting* (`conversions`): which difficulty of another game has the same chance?
- *Duels* (`duels`): who wins a fight, and when is it worth spending? `turns` compiles one turn into layers of nodes,
  `solving` finds the value of every state of the fight, `spending` says in words when the best play spends. `worth`
  changes one thing at a time and solves the fight again; it also compares every build that a hero could have.
  `openspiel` hands a duel to the algorithms of OpenSpiel.
- *Campaigns* (`campaigns`): how does a party fare, evening by evening?
- *Luck* (`luck`): were the dice of an evening kind, by exact chances?
- *Linting* (`linting`): which parameters, answers and outcomes of a rule do nothing?
"""
