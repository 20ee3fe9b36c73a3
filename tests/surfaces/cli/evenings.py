"""Evenings as people type them, one for each of our games.

`Bo: test lift` is typed by Bo; words in curly quotes are Bo's own, such as the name of something new. `dice 16 3` are
the faces that fall next. `look Bo` is Bo coming back: from then on Bo knows only what the table shows. `| words` stands
in what the line before it showed.
"""

# ruff: noqa: E501 - what is typed is one line

SINEW_STEEL = """
Ada: begin_evening
Bo: take_sample mara
Cy: take_sample tobin
Ada: make_npc “Guard” tier=10
Ada: write_scene “The Roof” hook=“Wind and slates.” options=“Sneak past” options=“Storm in,way=risky” --save-node
Ada: begin_scene roof
look Bo
| 2. Storm in (risky)
Ada: start_clock “The alarm” size=4
Ada: start_clock “The storm” face=hidden
Ada: set_quest “Free the bell”
look Ada
Ada: begin_condition “Tired” who=mara
Ada: begin_condition “Tired” who=tobin
Ada: request_roll mara test attribute=might what-for=“Lift the bar”
look Bo
| Mara Quill is asked to test, attribute Might: Lift the bar (test)
dice 12
Bo: test
| 4 Luck: success
Bo: answer -4
| Mara Quill has rolled as asked
look Cy
dice 5 20
Cy: attack guard sword
| 2 Luck: wins
Cy: answer let it stand
| Tobin Ash attacks Guard with Sword or spear
look Ada
| condition: Tired (Mara Quill), on Mara Quill, until the scene ends
| save node: The Roof
Ada: end_condition tired tobin
Ada: harm mara 2 “a fall”
| has 3 left
Ada: rest
| Mara Quill recovers 1 Stamina
Ada: tick_clock alarm 2
| The alarm: 0 → 2 of 4
look Ada
Ada: complete_quest
| the quest is done: Free the bell
Bo: carry sword
| Bo proposes: Mara Quill wants to carry Sword or spear
look Ada
| Bo proposes: Mara Quill wants to carry Sword or spear (agree, or decline
Ada: agree
Ada: put_prompt bo “What do you fear?”
look Bo
| Bo is asked: What do you fear? (answer …)
Bo: answer “The dark”
| Bo: The dark
look Ada
| save node: The Roof
| clock: The storm, 0 of 6 (hidden)
Ada: rewind roof pressure
| the story went back to “The Roof”
Ada: take_option storm
| taken: 2. Storm in (risky)
Ada: end_evening
"""

NARRAJECT = """
Ada: begin_evening
Bo: make_hero “Kira” ratings=might=2,agility=4,intellect=2,persona=2 anchors=“Expert Marksman,grade=major” anchors=“Rooftops” anchors=“Medic” burdens=“Hunted” burdens=“Old Wound” burdens=“Afraid of Fire”
Cy: make_hero “Lund” ratings=might=4,agility=2,intellect=2,persona=2 anchors=“Wrestler” anchors=“Smith” anchors=“Psalms” burdens=“Slow” burdens=“Proud” burdens=“In Debt”
Ada: write_scene “The Gate” hook=“A gate.” options=“Knock” options=“Climb over,way=risky” --save-node
Ada: begin_scene gate
look Bo
| 2. Climb over (risky)
Bo: declare_intent “Reach the roof” “climbing the drainpipe”
look Ada
| due: Kira wants: Reach the roof (climbing the drainpipe). Ask for the roll (request_roll) or say yes (say_yes).
Ada: request_roll kira attempt stat=agility difficulty=moderate what-for=“Reach the roof”
Ada: request_roll kira attempt stat=persona what-for=“Keep your countenance”
look Bo
| Kira is asked to attempt, stat Agility, against 2: Reach the roof (attempt "Reach the roof")
dice 5 6 1 1 1
Bo: attempt "Reach the roof" anchors=rooftops
| Kira has rolled as asked
look Ada
Ada: withdraw_request
Ada: raise_threat “Wolf” level=2
Ada: raise_threat “Bear” level=3 --boss
look Bo
| Wolf: level 2, physical
dice 1 2
Bo: defend might wolf “ducking aside”
| Kira takes 3 physical stress
Bo: inject “The gate is rotten”
look Ada
| The gate is rotten: Bo
Ada: veto_injection rotten
| the injection is vetoed
Ada: grant_aspect “Fog”
Ada: end_threat bear
Ada: rest
| Kira shakes off 3 physical stress
Ada: start_clock “Dawn”
Ada: tick_clock
| Dawn: 0 → 1 of 6
look Bo
| Fog: +1
Bo: attempt agility aspects=fog goal=“A way in” approach=“feeling along the wall” difficulty=easy
| Bo proposes: Kira wants: “A way in”, “feeling along the wall”, Agility, aspects fog, against easy
look Ada
dice 1 1 1 1 1
Ada: agree --changes difficulty=hard
| against 4 (hard)
look Ada
| save node: The Gate
Ada: rewind gate reserve
| the story went back to “The Gate”
Ada: take_option climb
| taken: 2. Climb over (risky)
Ada: end_evening
"""

NEW_SHOES = """
Ada: begin_evening
Bo: make_hero “Kira” body=5 mind=3 will=2
Cy: make_hero “Lund” body=2 mind=4 will=4
Ada: make_npc “Guard” body=4
Ada: write_scene “The Gate” hook=“A gate.” options=“Knock” options=“Climb over,way=risky” --save-node
Ada: begin_scene gate
look Bo
| 2. Climb over (risky)
Bo: describe “I climb the wall”
look Ada
| due: Kira: I climb the wall. Call for the roll (call_approach).
Ada: call_approach kira body 12
look Cy
| Kira is asked to roll approach, against 12: I climb the wall
Cy: support kira will
look Bo
| (roll_approach)
dice 1 1 1 1 1
Bo: roll_approach
| Kira has rolled as asked
look Ada
Ada: attach_status “Fog” -1
Ada: attach_status “Wet” value=-1 who=kira
Ada: attach_status “Wet” value=-1 who=lund
look Ada
Ada: end_status wet lund
| Lund: Wet is no longer true
Ada: prompt_reaction kira “The guard swings” by=guard attribute=body target=12
look Bo
| Kira: Guard: The guard swings (describe …)
Bo: describe “I duck”
dice 1 1 1 1 1
Bo: roll_approach
| Kira
look Ada
Ada: rest
Ada: start_clock “Dawn” 4
Ada: tick_clock dawn
look Ada
| save node: The Gate
Ada: rewind gate attribute
| the story went back to “The Gate”
Ada: take_option climb
Ada: end_evening
"""

SIX_POOL = """
Ada: begin_evening
Bo: make_hero “Kira” fighter pools=STR=18,DEX=15,CON=12,INT=10,WIS=12,CHA=10 edges=STR=1
Cy: make_hero “Lund” rogue pools=STR=15,DEX=18,CON=12,INT=12,WIS=10,CHA=10 edges=DEX=1
Ada: make_npc “Guard” pools=STR=12
Ada: write_scene “The Gate” hook=“A gate.” options=“Knock” options=“Climb over,way=risky” --save-node
Ada: begin_scene gate
look Ada
Ada: request_roll kira check skill=climbing difficulty=hard what-for=“Climb the wall”
Ada: request_roll lund check skill=stealth difficulty=15 what-for=“Keep quiet” --hidden
look Bo
| Kira is asked to check, skill climbing, against 20: Climb the wall (check)
| Lund is asked to check, skill stealth, against a hidden difficulty: Keep quiet
dice 15
Bo: check points=2
| Kira has rolled as asked
look Bo
Bo: check climbing dc=5
| Bo proposes: Kira rolls climbing, against 5
look Ada
dice 15
Ada: agree --changes difficulty=12
| Ada agreed: against 12
look Bo
dice 18 3
Bo: attack guard
| Guard loses 3 hit points
Bo: contest guard grappling
| Kira and Guard decide
Bo: answer 2
look Ada
| Guard decides (contest): declare
dice 12 9
Ada: answer 0
look Cy
Cy: help kira climbing
look Ada
Ada: judge_help --waive-training
look Ada
dice 3
Ada: harm kira 3
| has 13 left
Ada: rest long
Ada: start_clock “Dawn” 4
Ada: tick_clock
look Ada
| save node: The Gate
Ada: rewind gate
| the story went back to “The Gate”
Ada: take_option knock
| taken: 1. Knock
Ada: end_evening
"""

EVENINGS = {"sinew_steel": SINEW_STEEL, "narraject": NARRAJECT, "new_shoes": NEW_SHOES, "six_pool": SIX_POOL}
