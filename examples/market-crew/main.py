from crew import MarketCrew

MarketCrew().crew().kickoff(inputs={"town": "Verden", "day": "Saturday", "notes": open("notes.txt").read()})
